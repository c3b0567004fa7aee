// Fails on purpose: the test adds it to the page and asks whether the page has noticed.
throw new Error('made by the test');
