import type { PageMeta } from './message.ts'

export function withMeta(page: string, meta: Partial<Record<PageMeta, string>>): string {
  const written = Object.entries(meta).map(
    ([name, content]) => `<meta name="${name}" content="${content}" />`,
  )
  const head = page.indexOf('<head>') + '<head>'.length
  if (head < '<head>'.length) throw new Error('The page has no head.')
  return page.slice(0, head) + written.join('') + page.slice(head)
}

export function metaOf(page: string, name: PageMeta): string | null {
  return new RegExp(`<meta name="${name}" content="([^"]*)"`).exec(page)?.[1] ?? null
}
