// Before anything is drawn: index.html holds the first screen of the bare address. A link or an embedded page shows
// something else, and waits for the program.
if (location.hash.length > 1 || location.search) document.documentElement.classList.add('linked');
