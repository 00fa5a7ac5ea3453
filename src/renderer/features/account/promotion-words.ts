import type { AccountLimits, Promotion } from '../../../contract/areas/promocodes.ts'
import { bytes, dateTime, memory, number } from '../../messages/format.ts'
import { t, type Words } from '../../messages/t.svelte.ts'

/** Characters; a foreign service may not limit names. */
const LONGEST = 200

export const nameOf = ({ name, id }: Promotion): string => ((name ?? '').trim() || id).slice(0, LONGEST)

const REFUSALS = ['unknown', 'expired', 'used-up', 'already-used'] as const

export function refusalOf({ serviceCode }: { serviceCode?: string | undefined }): Words | null {
  const why = REFUSALS.find((one) => serviceCode === `promocode.${one}`)
  return why ? () => t(`promocodes.${why}`) : null
}

export function benefitsOf({ benefits }: Promotion): string {
  const { servers, memoryMb, diskBytes } = benefits ?? {}
  const given = [
    servers ? t('promocodes.servers', { count: servers }) : null,
    memoryMb ? t('promocodes.memory', { size: memory(memoryMb) }) : null,
    diskBytes ? t('promocodes.disk', { size: bytes(diskBytes) }) : null,
  ].filter((words) => words !== null)
  return given.length > 0 ? given.join(' · ') : t('promocodes.nothing')
}

export function timesOf({ activatedAt, endsAt, active }: Promotion): string {
  return [
    activatedAt ? t('promocodes.at', { time: dateTime(activatedAt) }) : null,
    endsAt ? t(active === false ? 'promocodes.ended' : 'promocodes.until', { time: dateTime(endsAt) }) : null,
  ]
    .filter(Boolean)
    .join(' · ')
}

export function limitsOf(limits: AccountLimits | null): { name: string; value: string }[] {
  if (!limits) return []
  const rows = [
    { name: t('promocodes.limit-servers'), limit: limits.servers, words: number },
    { name: t('promocodes.limit-memory'), limit: limits.memoryMb, words: memory },
    { name: t('promocodes.limit-disk'), limit: limits.diskBytes, words: bytes },
  ]
  return rows.flatMap(({ name, limit, words }) => {
    const value = limit ? limitWords(limit, words) : null
    return value === null ? [] : [{ name, value }]
  })
}

function limitWords(
  { used, most, limited }: NonNullable<AccountLimits['servers']>,
  words: (value: number) => string,
): string | null {
  const has = typeof used === 'number' ? words(used) : null
  if (typeof most === 'number')
    return has === null
      ? t('promocodes.up-to', { most: words(most) })
      : t('promocodes.of', { used: has, most: words(most) })
  if (limited !== false) return has
  return has === null ? t('promocodes.unlimited') : t('promocodes.no-limit', { used: has })
}
