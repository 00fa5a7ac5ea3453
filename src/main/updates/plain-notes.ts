/** Characters of release notes that are shown. */
const MOST = 10_000

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", nbsp: ' ' }

/** What a release says of itself, as plain text: some feeds send it as the HTML of a page. */
export function plainNotes(notes: unknown): string {
  if (Array.isArray(notes))
    return bounded(notes.map((one: { note?: unknown }) => plainNotes(one?.note)).join('\n\n'))
  if (typeof notes !== 'string') return ''
  // Bounded before and after: what a feed can send is larger than what is shown.
  const raw = notes.slice(0, MOST * 5)
  if (!/<\/[a-z0-9]+>/i.test(raw)) return bounded(raw)
  return bounded(
    raw
      .replaceAll(/<li[^<>]*>/gi, '\n- ')
      .replaceAll(/<(br|\/p|\/h[1-6]|\/ul|\/ol|\/div|\/pre)[^<>]*>/gi, '\n')
      .replaceAll(/<[^<>]*>/g, '')
      .replaceAll(/&([a-z]+|#39);/gi, (whole, name: string) => ENTITIES[name.toLowerCase()] ?? whole),
  )
}

const bounded = (text: string): string => {
  const tidy = text
    .replaceAll(/[ \t]+$/gm, '')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()
  return tidy.length > MOST ? `${tidy.slice(0, MOST)}…` : tidy
}
