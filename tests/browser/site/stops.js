// As when the browser stops a program.
const error = new WebAssembly.RuntimeError('made by the test');
dispatchEvent(new ErrorEvent('error', { error, message: error.message }));
