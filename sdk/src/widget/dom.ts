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

/** A drawing of 24 by 24 units in the colour of the text; it has no meaning of its own. */
export function icon(path: string): SVGElement {
  const [svg, line] = ["svg", "path"].map((tag) =>
    document.createElementNS("http://www.w3.org/2000/svg", tag),
  )
  svg?.setAttribute("viewBox", "0 0 24 24")
  line?.setAttribute("d", path)
  svg?.append(line as Element)
  return svg as SVGElement
}
