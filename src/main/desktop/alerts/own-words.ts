import type {
  Notification,
  NotificationKind,
  NotificationValues,
} from '../../../contract/areas/notifications.ts'
import { wordsOf } from '../../../contract/messages/notification-words.ts'
import { plainLine } from './plain-text.ts'

/** So much of a name in a sentence is shown, in characters. */
const NAME_MOST = 40
/** The same for a folder, which is recognized by the end of its path. */
const FOLDER_MOST = 80

const isNumber = (value: unknown) => typeof value === 'number'

/** Whether values, whose names are plain, hold what the sentence of a kind is made of. */
const HOLDS: Record<NotificationKind, (values: NotificationValues) => boolean> = {
  crash: ({ server }) => !!server,
  start: ({ server, by }) => !!server && !!by,
  stop: ({ server, by }) => !!server && !!by,
  invitation: ({ server, by }) => !!server && !!by,
  disk: ({ server, usedBytes, limitBytes, freeBytes }) =>
    server ? isNumber(usedBytes) && isNumber(limitBytes) : isNumber(freeBytes),
  'sign-in': ({ address }) => !!address,
  leftovers: ({ server, folder }) => !!server && !!folder,
  promotion: ({ promotion, until }) => !!promotion && (!until || !Number.isNaN(Date.parse(until))),
}

/**
 * What a notification says in the language of the panel, as its page does: the account may have another one, and that of this
 * computer has none. Null where its service says something else than we know; then its own words are told.
 */
export function inOwnWords(
  { kind, values }: Notification,
  language: string,
): { title: string; body: string | null } | null {
  if (!values || typeof kind !== 'string') return null
  const name = (text: string | null | undefined) => plainLine(text, NAME_MOST)
  const { server, by, device, address, promotion, folder } = values
  const plain = {
    ...values,
    ...{ server: name(server), by: name(by), device: name(device), address: name(address) },
    ...{ promotion: name(promotion), folder: plainLine(folder, FOLDER_MOST) },
  }
  return HOLDS[kind](plain) ? wordsOf(kind, plain, language) : null
}
