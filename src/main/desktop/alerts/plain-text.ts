import { asOneLine } from '../../../contract/messages/one-line.ts'

/** What turns the direction of a text around, or takes no room in it: a name could pretend to be another one with it. */
const UNSEEN = /[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]/g

/** A text of a stranger as one short line, such as the system shows it; at most so many characters, as people count them. */
export function plainLine(text: string | null | undefined, most: number): string {
  // Cut before it is looked through, too: what a service sends may be long.
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

/** For a notification of Linux, whose text some desktops read as markup: nothing in it looks like that. */
export const withoutMarkup = (text: string): string =>
  text.replaceAll('&', '＆').replaceAll('<', '‹').replaceAll('>', '›')

/** For a menu, where `&` marks the letter that chooses the entry. */
export const menuLabel = (text: string): string => text.replaceAll('&', '&&')
