/** An element with these properties, nodes and texts. Texts never become markup. */
export function createElement<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  properties: Partial<HTMLElementTagNameMap[Tag]>,
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const node = Object.assign(document.createElement(tag), properties)
  node.append(...children)
  return node
}

/** A paragraph; an empty one is hidden. */
export function paragraph(className: string, ...children: (Node | string)[]): HTMLElement {
  return createElement("p", { className }, ...children)
}

/** A button that does not submit a form. */
export function button(name: string, onclick: () => void, ...children: (Node | string)[]): HTMLButtonElement {
  const node = createElement("button", { type: "button", onclick }, ...children)
  if (children.length) node.ariaLabel = name
  else node.textContent = name
  return node
}
