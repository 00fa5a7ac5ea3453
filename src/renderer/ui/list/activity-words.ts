import type { ActivityEntry } from '../../../contract/areas/activity.ts'
import { activity } from '../../messages/en/activity.ts'
import { t } from '../../messages/t.svelte.ts'

type DeedKey = Extract<keyof typeof activity, `did.${string}`>
type SettingKey = Extract<keyof typeof activity, `setting.${string}`>

/** A sentence in pieces, so that a view can give who and what their own look. */
export type SentencePart = { kind: 'text'; text: string } | { kind: 'who'; name: string } | { kind: 'what' }

const WHO = '\uE000'
const WHAT = '\uE001'
const RULE = '\uE002'

/** What happened, such as “Eva started the server”; of an unknown action, the service's own word for it. */
export function sentenceOf(entry: ActivityEntry): SentencePart[] {
  const name = actorOf(entry)
  const nothing = entry.action === 'console.command' ? 'activity.a-command' : 'activity.something'
  return wordsOf(entry, targetsOf(entry).length > 0 ? WHAT : t(nothing))
    .split(/([\uE000-\uE002])/)
    .filter((text) => text !== '')
    .map((text) =>
      text === WHO
        ? { kind: 'who', name }
        : text === RULE
          ? { kind: 'who', name: entry.rule ?? '' }
          : text === WHAT
            ? { kind: 'what' }
            : { kind: 'text', text },
    )
}

function wordsOf(entry: ActivityEntry, what: string): string {
  const { actor, action, target, result, rule } = entry
  if (action === 'servers.crashed') return t('activity.crashed')
  if (action === 'servers.slept') return t('activity.slept')
  if (action === 'servers.woken') return t('activity.woken', { what })
  if (action === 'players.ban-ended') return t('activity.ban-ended', { what })
  if (action === 'schedules.paused') return t('activity.schedule-paused', { what })
  const key = known<DeedKey>(`did.${action}.${target}`) ?? known<DeedKey>(`did.${action}`)
  if (!key) return t('activity.unknown', { who: WHO, action })
  const deed = t(key, { what })
  const isDone = result !== 'refused' && result !== 'failed' && result !== 'canceled'
  if (!isDone) {
    const act = deed.replace(/\|\p{L}+/u, '')
    if (rule) return t('activity.rule-tried', { rule: RULE, act })
    return actor?.you ? t('activity.you-tried', { act }) : t('activity.tried', { who: WHO, act })
  }
  const did = deed.replace(/\p{L}+\|/u, '')
  if (rule) return t('activity.by-rule', { rule: RULE, did })
  return actor?.you ? t('activity.you-did', { did }) : t('activity.did', { who: WHO, did })
}

/** What it was done to: names, then how many more. */
export function targetsOf({ what, target, targets, count }: ActivityEntry): string[] {
  if (what === 'switch') return []
  const all = targets && targets.length > 0 ? targets : target ? [target] : []
  const named = what === 'setting' ? all.map(settingOf) : [...all]
  const more = (count ?? 0) - named.length
  if (more <= 0 || named.length === 0) return named
  const last = named.at(-1) ?? ''
  return [...named.slice(0, -1), t('activity.more', { names: last, count: more })]
}

function settingOf(name: string): string {
  const key = known<SettingKey>(`setting.${name}`)
  return key ? t(key) : name
}

const known = <Key extends DeedKey | SettingKey>(key: string): Key | null =>
  Object.hasOwn(activity, key) ? (key as Key) : null

function actorOf({ actor }: ActivityEntry): string {
  if (actor?.service) return t('activity.service')
  return actor?.name || actor?.id || t('activity.somebody')
}

export type ResultTone = 'plain' | 'warn' | 'bad'

/** Only what the sentence doesn't say; null for success. */
export function resultOf({ result, reason }: ActivityEntry): { text: string; tone: ResultTone } | null {
  if (!result || result === 'done' || result === 'accepted') return null
  if (typeof result !== 'string') return { text: result.raw, tone: 'plain' }
  const exit = /^exit-code-(-?\d+)$/.exec(reason ?? '')?.[1]
  if (exit !== undefined) return { text: t('reason.exit-code', { code: exit }), tone: 'bad' }
  if (result === 'refused' && reason)
    return {
      text: reason.endsWith('forbidden') ? t('reason.forbidden') : t('reason.other', { code: reason }),
      tone: 'warn',
    }
  return { text: t(`result.${result}`), tone: result === 'failed' ? 'bad' : 'warn' }
}
