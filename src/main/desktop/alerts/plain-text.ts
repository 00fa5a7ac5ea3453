import { asOneLine } from '../../../contract/messages/one-line.ts'

/** Characters that reverse direction or are invisible, with which a name could imitate another. */
const UNSEEN = /[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]/g

/** Untrusted text as one short line of at most `most` graphemes. */
export function plainLine(text: string | null | undefined, most: number): string {
  // Cut before scanning, too: a service's text may be long.
  const line = asOneLine((text ?? '').slice(0, most * 8).replaceAll(UNSEEN, '')).replaceAll(/\s+/g, ' ')
  const all = [...new Intl.Segmenter().segment(line)]
  return all.length <= most
    ? line
    : `${all
        .slice(0, most - 1)
        .map(({ segment }) => segment)
        .join('')
        .trimEnd()}…`
}

/** For Linux notifications: some desktops interpret markup. */
export const withoutMarkup = (text: string): string =>
  text.replaceAll('&', '＆').replaceAll('<', '‹').replaceAll('>', '›')

/** In menus `&` marks the access key. */
export const menuLabel = (text: string): string => text.replaceAll('&', '&&')
