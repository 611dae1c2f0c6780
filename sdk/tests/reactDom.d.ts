/** What our tests use of react-dom, which ships without types. */
declare module "react-dom/client" {
  import type { ReactNode } from "react"
  export interface Root {
    render(node: ReactNode): void
    unmount(): void
  }
  export function createRoot(container: Element): Root
}

declare module "react-dom/server" {
  import type { ReactNode } from "react"
  export function renderToString(node: ReactNode): string
}
