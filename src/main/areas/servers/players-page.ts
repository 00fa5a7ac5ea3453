import type { PlayersList } from '../../../contract/bridge/values.ts'

export interface PlayersWords {
  title: string
  text: string
  optional: string
  minecraft: string
}

/** Contains text by strangers: no scripts, no external resources. */
export function playersPage(list: PlayersList, words: PlayersWords): string {
  const name = [list.name, list.version].filter(Boolean).join(' ')
  const facts = [list.minecraft ? words.minecraft : null, list.loader].flatMap((one) => one || [])
  const items = (list.items ?? []).map(({ name: file, version, url, optional }) => {
    const what = linked([file, version].filter(Boolean).join(' '), url)
    return `    <li>${what}${optional ? ` <small>(${escaped(words.optional)})</small>` : ''}</li>`
  })
  return [
    '<!doctype html>',
    '<meta charset="utf-8">',
    '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; style-src \'unsafe-inline\'">',
    '<meta name="viewport" content="width=device-width">',
    `<title>${escaped(name)}</title>`,
    '<style>body{font:16px/1.5 system-ui,sans-serif;max-width:44rem;margin:2rem auto;padding:0 1rem;color-scheme:light dark}</style>',
    `<h1>${escaped(words.title)}</h1>`,
    `<p><strong>${linked(name, list.url)}</strong>${facts.map((one) => ` · ${escaped(one)}`).join('')}</p>`,
    `<p>${escaped(words.text)}</p>`,
    '<ul>',
    ...items,
    '</ul>',
    '',
  ].join('\n')
}

/** Links http(s) only. */
function linked(text: string, url: string | null | undefined): string {
  const to = url && URL.canParse(url) ? new URL(url) : null
  const isWeb = to?.protocol === 'https:' || to?.protocol === 'http:'
  return to && isWeb
    ? `<a href="${escaped(to.href)}" rel="noreferrer"><bdi>${escaped(text)}</bdi></a>`
    : `<bdi>${escaped(text)}</bdi>`
}

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (one) => ENTITIES[one]!)
