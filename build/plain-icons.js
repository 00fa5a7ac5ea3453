// @ts-check

const icon = /[\\/]@lucide[\\/]svelte[\\/]dist[\\/]icons[\\/][^\\/]+\.svelte$/

/**
 * The markup of one icon. The library draws each element and each attribute of every icon by itself, which took a fifth of
 * the script until the first picture; markup is copied whole. What our icons are given is all that it takes.
 * @param {string} source the library's component of an icon
 * @returns {string} Throws a sentence where the library writes its icons in another way by now.
 */
export function plainIcon(source) {
  const data = /^const iconData = (\{.*\});$/m.exec(source)?.[1]
  if (data === undefined)
    throw new Error('An icon of @lucide/svelte is not written as build/plain-icons.js reads it.')
  /** @type {{ size: number, node: [string, Record<string, string>][] }} */
  const { size, node } = JSON.parse(data)
  const drawn = node.map(([tag, attributes]) => {
    const written = Object.entries(attributes).map(([name, value]) => ` ${name}="${value}"`)
    return `<${tag}${written.join('')} />`
  })
  return (
    '<script>let { size = 24, strokeWidth = 2, class: own } = $props()</script>' +
    `<svg width={size} height={size} viewBox="0 0 ${size} ${size}" fill="none" stroke="currentColor" ` +
    'stroke-width={strokeWidth} stroke-linecap="round" stroke-linejoin="round" class={own} aria-hidden="true">' +
    `${drawn.join('')}</svg>`
  )
}

/** Draws every icon by its markup. */
export function plainIcons() {
  return {
    name: 'plain-icons',
    /** @type {'pre'} */
    enforce: 'pre',
    /** @type {(code: string, id: string) => string | null} */
    transform: (code, id) => (icon.test(id) ? plainIcon(code) : null),
  }
}
