import type { ActivityEntry } from '../../../contract/areas/activity.ts'
import type { AnyOperation } from '../../../contract/areas/index.ts'
import { t } from '../../messages/t.svelte.ts'

/** Every write of a server; missing words don't compile. */
type ServerWriteId = Extract<AnyOperation, { kind: 'write'; path: `${string}/:serverId${string}` }>['id']

const acts = {
  'servers.power': 'act.power',
  'servers.remove': 'act.delete',
  'servers.duplicate': 'act.duplicate',
  'servers.reset': 'act.reset',
  'servers.change-config': 'act.config',
  'servers.start-safely': 'act.start-safely',
  'servers.change-port': 'act.port',
  'servers.accept-license': 'act.license',
  'console.command': 'act.command',
  'players.act': 'act.players',
  'players.turn-whitelist': 'act.whitelist',
  'files.write': 'act.write',
  'files.upload': 'act.upload',
  'files.batch': 'act.upload',
  'files.folder': 'act.folder',
  'files.move': 'act.move',
  'files.copy': 'act.copy',
  'files.remove': 'act.remove',
  'files.restore': 'act.restore',
  'files.purge': 'act.purge',
  'files.archive': 'act.archive',
  'files.extract': 'act.extract',
  'files.cancel': 'act.cancel',
  'software.change': 'act.software',
  'software.undo': 'act.undo-change',
  'software.forget-copy': 'act.forget-copy',
  'software.clear-fetched': 'act.clear-fetched',
  'extensions.install': 'act.install',
  'extensions.adopt': 'act.add-extensions',
  'modpacks.install': 'act.modpack',
  'extensions.cancel': 'act.cancel-install',
  'extensions.undo': 'act.undo-extensions',
  'extensions.change': 'act.change-extension',
  'extensions.remove': 'act.remove-extension',
  'access.invite': 'act.invite',
  'access.leave': 'act.leave',
  'access.change': 'act.grant',
  'access.remove': 'act.end',
} as const satisfies Record<ServerWriteId, string>

/** Bulk operations, and entries other than server writes. */
const others = {
  'servers.create': 'act.create',
  'servers.crashed': 'act.crashed',
  'players.ban-ended': 'act.ban-ended',
  'servers.power.start': 'act.start',
  'servers.power.stop': 'act.stop',
  'servers.power.restart': 'act.restart',
  'servers.power.kill': 'act.kill',
  'players.act.kick': 'act.kick',
  'players.act.ban': 'act.ban',
  'players.act.pardon': 'act.pardon',
  'players.act.op': 'act.op',
  'players.act.deop': 'act.deop',
  'players.act.whitelist-add': 'act.whitelist-add',
  'players.act.whitelist-remove': 'act.whitelist-remove',
  'players.act.message': 'act.message',
  'players.turn-whitelist true': 'act.whitelist-on',
  'players.turn-whitelist false': 'act.whitelist-off',
  'access.answer': 'act.answer',
  'access.answer true': 'act.accept',
  'access.answer false': 'act.decline',
} as const

const words: Readonly<Record<string, (typeof acts)[ServerWriteId] | (typeof others)[keyof typeof others]>> = {
  ...acts,
  ...others,
}
const settings = {
  name: 'setting.name',
  memoryMb: 'setting.memory',
  java: 'setting.java',
  jvmSet: 'setting.jvm-set',
  javaArgs: 'setting.java-args',
  autoStart: 'setting.auto-start',
  autoRestart: 'setting.auto-restart',
} as const
const wordOf = <T>(table: Readonly<Record<string, T>>, key: string): T | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined

/** What was done, in button words; the service's own word if unknown. */
export function actOf({ action, what, target }: ActivityEntry): string {
  const exact = what === 'switch' ? wordOf(words, `${action} ${target}`) : undefined
  const key = exact ?? wordOf(words, action)
  return key ? t(key) : action
}

/** What it was done to: names, then how many more; empty if the action says it all. */
export function targetsOf({ what, target, targets, count }: ActivityEntry): string[] {
  if (what === 'switch') return []
  const all = targets && targets.length > 0 ? targets : target ? [target] : []
  const named = what === 'setting' ? all.map(settingOf) : [...all]
  const more = (count ?? 0) - named.length
  if (more <= 0 || named.length === 0) return named
  const last = named.at(-1) ?? ''
  return [...named.slice(0, -1), t('activity.more', { names: last, count: more })]
}

const settingOf = (name: string): string => {
  const key = wordOf<(typeof settings)[keyof typeof settings]>(settings, name)
  return key ? t(key) : name
}

export function actorOf({ actor }: ActivityEntry): string {
  if (actor?.service) return t('activity.service')
  const name = actor?.name || actor?.id
  if (!name) return t('activity.somebody')
  return actor?.you ? t('activity.you', { name }) : name
}

export type ResultTone = 'plain' | 'warn' | 'bad'

export function resultOf({ result, reason }: ActivityEntry): { text: string; tone: ResultTone } | null {
  if (!result) return null
  if (typeof result !== 'string') return { text: result.raw, tone: 'plain' }
  const exit = /^exit-code-(-?\d+)$/.exec(reason ?? '')?.[1]
  if (exit !== undefined) return { text: t('reason.exit-code', { code: exit }), tone: 'bad' }
  if (result === 'refused' && reason)
    return {
      text: reason.endsWith('forbidden') ? t('reason.forbidden') : t('reason.other', { code: reason }),
      tone: 'warn',
    }
  const tone = result === 'failed' ? 'bad' : result === 'done' || result === 'accepted' ? 'plain' : 'warn'
  return { text: t(`result.${result}`), tone }
}
