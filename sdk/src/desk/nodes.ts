/** An element with these properties, holding these nodes and texts. Texts never become markup. */
export function make<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  properties: Partial<HTMLElementTagNameMap[Tag]>,
  ...inside: (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const node = Object.assign(document.createElement(tag), properties)
  node.append(...inside)
  return node
}

/** A paragraph; an empty one is not shown. */
export function line(className: string, ...inside: (Node | string)[]): HTMLElement {
  return make("p", { className }, ...inside)
}

/** A button of ours sends no form. */
export function button(name: string, onclick: () => void, ...inside: (Node | string)[]): HTMLButtonElement {
  const node = make("button", { type: "button", onclick }, ...inside)
  if (inside.length) node.ariaLabel = name
  else node.textContent = name
  return node
}
