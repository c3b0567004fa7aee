// Fails on purpose: the test adds it to the page and checks that the page notices.
throw new Error('made by the test');
