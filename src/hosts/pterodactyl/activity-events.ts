import type { z } from 'zod'
import { type ActivityEntry, TARGETS_MOST } from '../../contract/areas/activity.ts'
import { asOneLine } from '../../contract/messages/one-line.ts'

type Entry = Pick<z.input<typeof ActivityEntry>, 'action' | 'what' | 'targets' | 'count'>
type Properties = Readonly<Record<string, unknown>>
type TargetKind = NonNullable<Entry['what']>

const TEXT_MOST = 300

interface EventMeaning {
  action: string
  area: string
  is?: TargetKind
  targets?: (of: Properties) => readonly string[]
}

const field =
  (name: string) =>
  (of: Properties): string[] => {
    const text = of[name]
    return typeof text === 'string' && text !== '' ? [text] : []
  }

/** Paths as they are here: without the slash that they begin with. */
const inFolder = (of: Properties, names: readonly string[]): string[] => {
  const [folder = ''] = field('directory')(of)
  return names.map((name) => `${folder}/${name}`.replace(/\/+/g, '/').replace(/^\//, ''))
}
const files = (of: Properties): string[] => {
  const listed = Array.isArray(of['files']) ? (of['files'] as unknown[]) : [of['file'], of['name']]
  const names = listed.map((one) =>
    typeof one === 'object' && one !== null ? (one as { from?: unknown }).from : one,
  )
  return inFolder(of, names.filter((name): name is string => typeof name === 'string').slice(0, TARGETS_MOST))
}

const file = (action: string): EventMeaning => ({ action, area: 'files', is: 'file', targets: files })
const power = (word: string): EventMeaning => ({ action: `servers.power.${word}`, area: 'servers' })
const schedule = (action: string): EventMeaning => ({
  ...{ action: `schedules.${action}`, area: 'schedules', is: 'schedule', targets: field('name') },
})
const person = (action: string): EventMeaning => ({
  ...{ action: `access.${action}`, area: 'access', is: 'person', targets: field('email') },
})
/** Without an operation of ours; the words are `did.host.…`. */
const host = (action: string, area: string, name?: string): EventMeaning => ({
  ...{ action: `host.${action}`, area },
  ...(name !== undefined && { is: 'server' as const, targets: field(name) }),
})

const MEANINGS: Readonly<Record<string, EventMeaning>> = {
  'power.start': power('start'),
  'power.stop': power('stop'),
  'power.restart': power('restart'),
  'power.kill': power('kill'),
  'console.command': { action: 'console.command', area: 'console', is: 'command', targets: field('command') },
  'file.write': file('files.write'),
  'file.uploaded': file('files.upload'),
  'file.create-directory': file('files.folder'),
  'file.rename': file('files.move'),
  'file.copy': file('files.copy'),
  'file.delete': file('files.remove'),
  'file.decompress': file('files.extract'),
  'file.read': file('host.read'),
  'file.download': file('host.download'),
  'file.compress': file('host.compress'),
  'sftp.create': file('files.write'),
  'sftp.write': file('files.write'),
  'sftp.create-directory': file('files.folder'),
  'sftp.rename': file('files.move'),
  'sftp.delete': file('files.remove'),
  'backup.start': { action: 'backups.create', area: 'backups' },
  'backup.restore': { action: 'backups.restore', area: 'backups' },
  'backup.delete': { action: 'backups.remove', area: 'backups' },
  'backup.download': host('download', 'backups', 'name'),
  'schedule.create': schedule('create'),
  'schedule.update': schedule('change'),
  'schedule.delete': schedule('remove'),
  'schedule.execute': schedule('run'),
  'task.create': schedule('change'),
  'task.update': schedule('change'),
  'task.delete': schedule('change'),
  'subuser.create': person('invite'),
  'subuser.update': person('change'),
  'subuser.delete': person('remove'),
  reinstall: host('reinstall', 'servers'),
  'settings.rename': host('rename', 'servers', 'new'),
  'startup.edit': host('startup', 'servers', 'variable'),
  'startup.image': host('image', 'servers', 'new'),
  'database.create': host('database-create', 'servers', 'name'),
  'database.delete': host('database-delete', 'servers', 'name'),
  'database.rotate-password': host('database-rotate', 'servers', 'name'),
  'allocation.create': host('port-add', 'servers', 'allocation'),
  'allocation.delete': host('port-remove', 'servers', 'allocation'),
  'allocation.primary': host('port-primary', 'servers', 'allocation'),
}

const meaningOf = (event: string): EventMeaning | null => {
  const word = event.replace(/^server:/, '')
  return Object.hasOwn(MEANINGS, word) ? MEANINGS[word]! : null
}

export const areaOf = (event: string): string | null => meaningOf(event)?.area ?? null

/** What was done to what. An event that isn't known is called by its name. */
export function entryIn(event: string, properties: Properties): Entry {
  const meaning = meaningOf(event)
  if (!meaning) return { action: asOneLine(event).slice(0, TEXT_MOST) || '?' }
  const found = meaning.targets?.(properties) ?? []
  const count =
    properties['count'] ?? (Array.isArray(properties['files']) ? properties['files'].length : found.length)
  return {
    action: meaning.action,
    ...(meaning.is &&
      found.length > 0 && {
        what: meaning.is,
        targets: found.map((one) => asOneLine(one).slice(0, TEXT_MOST)),
      }),
    ...(typeof count === 'number' && Number.isSafeInteger(count) && count > 0 && { count }),
  }
}
