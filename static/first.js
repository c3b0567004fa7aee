// Before anything is drawn: index.html holds the first screen of the bare address. A link or an embedded page shows
// something else, and waits for the program.
if (location.hash.length > 1 || location.search) document.documentElement.classList.add('linked');

// The next script is a module, which some servers, folders and frames do not let load. Then index.html says what to do.
addEventListener('error', ({ target, filename }) => {
  if (window.zvmlabErrors || !`${target.src ?? filename}`.includes('static/boot.js')) return;
  const why = location.protocol === 'file:' ? 'file' : self.origin === 'null' ? 'sandbox' : 'files';
  document.documentElement.classList.add('stuck', why);
}, true);
