import type { PageMeta } from './message.ts'

/** Writes values into the head of the page, where its script reads them. Throws where the page has no head. */
export function withMeta(page: string, meta: Partial<Record<PageMeta, string>>): string {
  const written = Object.entries(meta).map(
    ([name, content]) => `<meta name="${name}" content="${content}" />`,
  )
  const head = page.indexOf('<head>') + '<head>'.length
  if (head < '<head>'.length) throw new Error('The page has no head.')
  return page.slice(0, head) + written.join('') + page.slice(head)
}

/** Reads a value out of a page that was answered. Null where it has none. */
export function metaOf(page: string, name: PageMeta): string | null {
  return new RegExp(`<meta name="${name}" content="([^"]*)"`).exec(page)?.[1] ?? null
}
