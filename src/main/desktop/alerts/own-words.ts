import type {
  Notification,
  NotificationKind,
  NotificationValues,
} from '../../../contract/areas/notifications.ts'
import { wordsOf } from '../../../contract/messages/notification-words.ts'
import { plainLine } from './plain-text.ts'

const NAME_MOST = 40
/** Folders are recognized by the end of their path. */
const FOLDER_MOST = 80

const isNumber = (value: unknown) => typeof value === 'number'

const HOLDS: Record<NotificationKind, (values: NotificationValues) => boolean> = {
  crash: ({ server }) => !!server,
  start: ({ server, by }) => !!server && !!by,
  stop: ({ server, by }) => !!server && !!by,
  invitation: ({ server, by }) => !!server && !!by,
  disk: ({ server, usedBytes, limitBytes, freeBytes }) =>
    server ? isNumber(usedBytes) && isNumber(limitBytes) : isNumber(freeBytes),
  'sign-in': ({ address }) => !!address,
  backup: ({ server }) => !!server,
  leftovers: ({ server, folder }) => !!server && !!folder,
  schedule: ({ server, schedule }) => !!server && !!schedule,
  promotion: ({ promotion, until }) => !!promotion && (!until || !Number.isNaN(Date.parse(until))),
}

/** In the panel's language, which may differ from the account's. Null if the service sent something unknown. */
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
