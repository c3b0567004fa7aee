// Before anything is drawn: the first screen that stands in index.html is the one of the bare address. A link and an embedded
// page show something else, and wait for the program.
if (location.hash.length > 1 || location.search) document.documentElement.classList.add('linked');
