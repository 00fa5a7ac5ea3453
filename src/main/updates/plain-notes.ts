const MOST = 10_000
/** Input limit in characters; larger because HTML tags are dropped. */
const MOST_RAW = MOST * 5
const MOST_VERSIONS = 20

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", nbsp: ' ' }

export function plainNotes(notes: unknown): string {
  let left = MOST_RAW
  const texts: string[] = []
  for (const one of Array.isArray(notes) ? (notes as unknown[]).slice(0, MOST_VERSIONS) : [notes]) {
    const text = Array.isArray(notes) ? (one as { note?: unknown } | null)?.note : one
    if (typeof text !== 'string' || left === 0) continue
    const raw = text.slice(0, left)
    left -= raw.length
    texts.push(withoutMarks(raw))
  }
  return tidy(texts.join('\n\n'))
}

function withoutMarks(raw: string): string {
  if (!/<\/[a-z0-9]+>/i.test(raw)) return raw
  return raw
    .replaceAll(/<li[^<>]*>/gi, '\n- ')
    .replaceAll(/<(br|\/p|\/h[1-6]|\/ul|\/ol|\/div|\/pre)[^<>]*>/gi, '\n')
    .replaceAll(/<[^<>]*>/g, '')
    .replaceAll(/&([a-z]+|#39);/gi, (whole, name: string) => ENTITIES[name.toLowerCase()] ?? whole)
}

function tidy(text: string): string {
  // A regex for trailing spaces would be quadratic.
  const lines = text.split('\n').map((line) => line.trimEnd())
  const whole = lines
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()
  return whole.length > MOST ? `${whole.slice(0, MOST)}…` : whole
}
