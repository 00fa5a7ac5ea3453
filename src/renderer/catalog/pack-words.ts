import type { PackPlan } from '../../contract/bridge/values.ts'
import { bytes } from '../messages/format.ts'
import { t } from '../messages/t.svelte.ts'

/** A sentence of the plan. `stop`: it can't be installed. */
export interface PackWord {
  text: string
  tone: 'note' | 'warn' | 'stop'
  /** Files it concerns, and the number beyond those. */
  names?: readonly string[]
  more?: number
}

export function packWords(plan: PackPlan): PackWord[] {
  const copy: PackWord[] =
    typeof plan.copyBytes === 'number' ? [{ text: t('modpacks.plan-copy'), tone: 'note' }] : []
  const words = [...ofPack(plan), ...ofServer(plan), ...copy]
  return (['stop', 'warn', 'note'] as const).flatMap((tone) => words.filter((word) => word.tone === tone))
}

function ofPack(plan: PackPlan): PackWord[] {
  const { software, files, downloadBytes, overrides, clientOnly, clientFiles, refused, settings } = plan
  const { name, id, version, build } = software
  const what = { software: name ?? id, version: version ?? '' }
  const note = (text: string, names?: readonly string[]): PackWord => ({
    ...{ text, tone: 'note' },
    ...(names && { names }),
  })
  return [
    note(build ? t('modpacks.plan-software-build', { ...what, build }) : t('modpacks.plan-software', what)),
    ...(files ? [note(t('modpacks.plan-files', { count: files, size: bytes(downloadBytes ?? 0) }))] : []),
    ...(overrides ? [note(t('modpacks.plan-overrides', { count: overrides }))] : []),
    ...(settings?.length
      ? [
          note(
            t('modpacks.plan-settings', { count: settings.length }),
            settings.map(({ key, value }) => `${key}=${value}`),
          ),
        ]
      : []),
    // Optional files are named among the choices.
    ...(clientOnly && !clientFiles?.length ? [note(t('modpacks.plan-client', { count: clientOnly }))] : []),
    ...(refused?.length
      ? [
          note(
            t('modpacks.plan-refused', {
              count: refused.length + (plan.more?.refused ?? 0),
              names: refused.slice(0, 5).join(', '),
            }),
          ),
        ]
      : []),
  ]
}

function ofServer(plan: PackPlan): PackWord[] {
  const { added, replaced, removed, copyBytes, freeBytes, yours, more } = plan
  const own = new Set(yours?.map(({ path }) => path))
  const kept = plan.kept?.filter((path) => !own.has(path))
  const mods = yours?.filter(({ kind }) => kind === 'added').map(({ path }) => path)
  const lists = { added, replaced, removed, kept, mods }
  // Mods added by hand are listed with the user's own files.
  const moreOf = (kind: string) => (kind === 'mods' ? 0 : (more?.[kind as 'added'] ?? 0))
  const words = Object.entries(lists).flatMap(([kind, names]): PackWord[] =>
    names?.length
      ? [
          {
            text: t(`modpacks.plan-${kind as keyof typeof lists}`, { count: names.length + moreOf(kind) }),
            tone: 'note',
            ...{ names, more: moreOf(kind) },
          },
        ]
      : [],
  )
  for (const { kind, from, to, major, count, extensions } of plan.items ?? []) {
    const versions = { from: from ?? '', to: to ?? '' }
    if (kind === 'older-version') words.push({ text: t('modpacks.plan-older', versions), tone: 'warn' })
    if (kind === 'newer-version') words.push({ text: t('modpacks.plan-newer', versions), tone: 'note' })
    if (kind === 'plugins-stop') words.push({ text: t('modpacks.plan-plugins'), tone: 'warn' })
    if (kind === 'mods-stop' || kind === 'mods-unfit') {
      const text = t(`modpacks.plan-${kind}`, { count: count ?? 1 })
      const names = extensions?.map(({ name }) => name)
      words.push({ text, tone: 'warn', ...(names?.length && { names }) })
    }
    if (kind === 'java') words.push({ text: t('modpacks.plan-java', { major: String(major) }), tone: 'note' })
    if (kind === 'no-room') {
      const sizes = { size: bytes(copyBytes ?? 0), free: bytes(freeBytes ?? 0) }
      words.push({ text: t('modpacks.plan-full', sizes), tone: 'stop' })
    }
  }
  return words
}
