/** Internals of xterm 6.0.0 (pinned). */
export interface RowRenderer {
  _rowElements?: HTMLElement[]
  _refreshRowElements?: (columns: number, rows: number) => void
  _rowFactory?: RowFactory
}
interface RowFactory {
  _document?: { createElement(name: string): unknown }
  _addStyle?: (part: Part, style: string) => void
}

/** A run of equally styled characters; stands in for an element in xterm's row factory. */
class Part {
  className = ''
  textContent = ''
  css = ''
  #style: Record<string, string> | null = null

  get style(): Record<string, string> {
    return (this.#style ??= {})
  }

  get look(): string {
    return this.#style || this.css
      ? `${this.className}|${this.css}|${JSON.stringify(this.#style)}`
      : this.className
  }

  /** Via the style object: the content security policy forbids `style` attributes. */
  dress(element: HTMLElement): void {
    element.className = this.className
    element.style.cssText = this.css
    Object.assign(element.style, this.#style)
  }
}

/**
 * Updates row elements where xterm would recreate them on each draw: half the cost of drawing. No-op if
 * internals are missing.
 */
export function reuseRows(renderer: RowRenderer): void {
  const { _rowElements: rows, _rowFactory: factory } = renderer
  const refresh = renderer._refreshRowElements?.bind(renderer)
  if (!rows || !factory?._document || !factory._addStyle || !refresh) return
  const reused = new WeakSet<HTMLElement>()
  const reuse = () => {
    for (const row of rows) {
      if (reused.has(row)) continue
      reused.add(row)
      reuseRow(row)
    }
  }
  factory._document = { createElement: () => new Part() }
  factory._addStyle = (part, style) => (part.css += `${style};`)
  renderer._refreshRowElements = (columns, count) => {
    refresh(columns, count)
    reuse()
  }
  reuse()
}

function reuseRow(row: HTMLElement): void {
  row.replaceChildren()
  const drawn: { element: HTMLElement; text: Text; look: string }[] = []
  row.replaceChildren = (...parts) => {
    for (const [at, part] of (parts as unknown as Part[]).entries()) {
      const there = drawn[at]
      const { look } = part
      if (!there) {
        const element = document.createElement('span')
        const text = document.createTextNode(part.textContent)
        element.append(text)
        part.dress(element)
        row.append(element)
        drawn.push({ element, text, look })
        continue
      }
      if (there.look !== look) part.dress(there.element)
      there.look = look
      if (there.text.data !== part.textContent) there.text.data = part.textContent
    }
    for (const { element } of drawn.splice(parts.length)) element.remove()
  }
}
