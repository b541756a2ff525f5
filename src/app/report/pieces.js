// Which face the pieces show: characters or pictograms. Both are in every picture, and the style hides one; so a choice
// redraws nothing. A page offers it by `select[name="faces"]`, and every page of this browser remembers it.

const KEY = "sanki.pieces";
const FACES = ["characters", "pictograms"];

/** What was chosen here before; a page from disk may have no memory. */
function remembered() {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

function remember(faces) {
  try {
    localStorage.setItem(KEY, faces);
  } catch {
    // It holds for this page alone.
  }
}

function apply(faces) {
  const known = FACES.includes(faces) ? faces : FACES[0];
  document.documentElement.dataset.pieces = known;
  for (const select of document.querySelectorAll('select[name="faces"]')) select.value = known;
}

document.addEventListener("change", ({ target }) => {
  if (!target.matches('select[name="faces"]')) return;
  remember(target.value);
  apply(target.value);
});
window.addEventListener("storage", ({ key, newValue }) => {
  if (key === KEY) apply(newValue);
});
apply(remembered());
