const hyphened = (hex: string): string => hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')

const WRITTEN = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/
const UUID = /^[\da-f]{8}-?[\da-f]{4}-?[\da-f]{4}-?[\da-f]{4}-?[\da-f]{12}$/

/** Lower case with hyphens; null if invalid. */
export function asUuid(text: string): string | null {
  if (text.length > 36) return null
  // Fast path: Minecraft's own format.
  if (WRITTEN.test(text)) return text
  const lower = text.toLowerCase()
  return UUID.test(lower) ? hyphened(lower.replaceAll('-', '')) : null
}
