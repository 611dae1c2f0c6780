// The hint buttons select a passage, as a reader would with the mouse.
for (const button of document.querySelectorAll("button[data-selects]")) {
  button.addEventListener("click", () => {
    const passage = document.querySelector(button.dataset.selects)
    const calm = matchMedia("(prefers-reduced-motion: reduce)").matches
    passage.scrollIntoView({ block: "center", behavior: calm ? "auto" : "smooth" })
    getSelection().selectAllChildren(passage)
  })
}
