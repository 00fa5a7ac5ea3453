import type { PlayerCount } from '../../../contract/bridge/values.ts'
import { number } from '../../messages/format.ts'
import { t } from '../../messages/t.svelte.ts'
import type { Attachment } from 'svelte/attachments'
import { firstPicture } from '../after-picture.ts'

export function playersOf(players: PlayerCount | null | undefined): string | null {
  if (!players) return null
  const online = number(players.online)
  return players.max ? t('players.count', { online, max: number(players.max) }) : online
}

let graphemes: Intl.Segmenter | undefined

/** The first grapheme. Combining marks start at U+0300; the segmenter is lazy, as it takes 10 ms to create. */
function firstLetter(word: string): string {
  if (word.charCodeAt(0) < 0x300 && !(word.charCodeAt(1) >= 0x300)) return word.charAt(0)
  graphemes ??= new Intl.Segmenter()
  return graphemes.segment(word).containing(0)?.segment ?? ''
}

export function initials(name: string): string {
  const words = name
    .trim()
    .split(/[\s_-]+/)
    .map((word) => word.replace(/^\p{P}+/u, ''))
    .filter(Boolean)
  const letters = words.slice(0, 2).map(firstLetter)
  return letters.join('').toLocaleUpperCase()
}

/** Draws the server's icon in its mark, after the first paint. */
export const serverPicture =
  (connectionId: string, serverId: string): Attachment<HTMLElement> =>
  (mark) => {
    const shown = firstPicture()
      .then(() => import('./server-pictures.svelte.ts'))
      .then(({ show }) => show(mark, connectionId, serverId))
      .catch(() => undefined)
    return () => void shown.then((stop) => stop?.())
  }
