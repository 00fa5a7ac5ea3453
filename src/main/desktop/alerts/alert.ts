import type { AlertKind } from '../../../contract/bridge/desktop-calls.ts'
import { isQuiet } from '../../../contract/rules/quiet-hours.ts'
import type { Facts, DesktopEvent } from '../facts.ts'
import { NOTIFICATIONS_PLACE, notificationPlace, serverPlace } from './places.ts'
import { plainLine } from './plain-text.ts'
import type { DesktopWords } from '../words.ts'
import { inOwnWords } from './own-words.ts'

export interface Alert {
  key: string
  title: string
  body: string
  to: string
  /** Something stopped working: stays until seen, where the desktop supports it. */
  urgent?: true
  /** Already limited to one a minute: not dropped as a repeat. */
  isGathered?: true
}

const NAME_MOST = 60
const TITLE_MOST = 100
const BODY_MOST = 200

export function kindOf({ kind }: DesktopEvent): AlertKind {
  if (kind === 'online') return 'started'
  if (kind === 'joined' || kind === 'left') return kind
  return kind === 'transfer' ? 'transfers' : 'service'
}

/** Services that push apply mutes and quiet hours themselves; others do not. */
export function isMuted(happening: DesktopEvent, facts: Facts, now: number): boolean {
  const { connectionId, serverId, kind } = aboutOf(happening)
  const rules = facts.rulesOf(connectionId)
  if (!rules) return false
  if (serverId && rules.mutedServers?.includes(serverId)) return true
  if (kind && rules.mutedKinds?.includes(kind)) return true
  return isQuiet(rules.quietHours, now)
}

/** For events without an account: quiet if every account that has quiet hours is in them, and at least one has some. */
export function isQuietForAll(facts: Facts, now: number): boolean {
  const all = facts.connections.flatMap(({ id }) => facts.rulesOf(id)?.quietHours ?? [])
  return all.length > 0 && all.every((hours) => isQuiet(hours, now))
}

function aboutOf(happening: DesktopEvent) {
  switch (happening.kind) {
    case 'transfer':
      return { ...happening.transfer.server, kind: null }
    case 'told': {
      const { connectionId, notification } = happening
      const kind = typeof notification.kind === 'string' ? notification.kind : null
      return { connectionId, serverId: notification.serverId ?? null, kind }
    }
    default: {
      const { connectionId, server } = happening
      const kind = { crashed: 'crash', online: 'start', joined: null, left: null }[happening.kind]
      return { connectionId, serverId: server.id, kind }
    }
  }
}

export function alertOf(happening: DesktopEvent, words: DesktopWords): Alert {
  switch (happening.kind) {
    case 'told':
      return toldAlert(happening, words)
    case 'transfer':
      return transferAlert(happening, words)
    default: {
      const { connectionId, server } = happening
      const ref = { connectionId, serverId: server.id }
      const name = plainLine(server.name, NAME_MOST) || plainLine(server.id, NAME_MOST)
      if (happening.kind === 'crashed') return crashAlert(ref, name, null, words)
      const key = `${happening.kind} ${connectionId} ${server.id}`
      if (happening.kind === 'online')
        return { key, title: words.ready(name), body: '', to: serverPlace(ref, 'overview') }
      return {
        key,
        isGathered: true,
        title: words[happening.kind](happening.count, name, plainLine(happening.player, NAME_MOST)),
        body: words.playing(happening.online),
        to: serverPlace(ref, 'players'),
      }
    }
  }
}

/** Same key whether a service reported it or the panel saw the status. */
function crashAlert(
  ref: { connectionId: string; serverId: string },
  name: string,
  exitCode: number | null,
  words: DesktopWords,
): Alert {
  return {
    key: `crashed ${ref.connectionId} ${ref.serverId}`,
    title: words.crash(name),
    body: exitCode === null ? words.crashText : words.crashCode(exitCode),
    to: serverPlace(ref, 'console'),
    urgent: true,
  }
}

function toldAlert(
  { connectionId, notification }: Extract<DesktopEvent, { kind: 'told' }>,
  words: DesktopWords,
): Alert {
  const { id, kind, serverId, values, title, body } = notification
  const server = plainLine(values?.server, NAME_MOST)
  if (kind === 'crash' && serverId && server)
    return crashAlert({ connectionId, serverId }, server, values?.exitCode ?? null, words)
  const own = inOwnWords(notification, words.language) ?? { title, body }
  const first = plainLine(own.title, TITLE_MOST)
  const text = plainLine(own.body, BODY_MOST)
  return {
    key: `told ${connectionId} ${id}`,
    title: first || text.slice(0, TITLE_MOST) || words.fallback,
    body: first ? text : '',
    to: notificationPlace(connectionId, notification),
  }
}

function transferAlert(
  { transfer }: Extract<DesktopEvent, { kind: 'transfer' }>,
  words: DesktopWords,
): Alert {
  const done = { download: words.downloaded, upload: words.uploaded, copy: words.copied }
  const name = plainLine(transfer.name, NAME_MOST)
  return {
    key: `transfer ${transfer.id}`,
    title: transfer.state === 'failed' ? words.notFinished : done[transfer.kind],
    body: transfer.others > 0 ? words.andMore(name, transfer.others) : name,
    to: serverPlace(transfer.server, 'files'),
  }
}

export function joinedAlert(alerts: readonly Alert[], count: number, words: DesktopWords): Alert {
  const titles = alerts.slice(0, 3).map(({ title }) => title)
  return {
    key: 'joined',
    title: words.notifications(count),
    body: plainLine(titles.join(' · '), BODY_MOST),
    to: NOTIFICATIONS_PLACE,
  }
}
