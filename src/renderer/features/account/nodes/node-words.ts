import type { Node, NodeServer } from '../../../../contract/areas/nodes.ts'
import { bytes, moment } from '../../../messages/format.ts'
import { t } from '../../../messages/t.svelte.ts'

/** Empty if nobody is on. */
export function playersOn({ players, playerNames }: NodeServer): string {
  const count = players?.online ?? 0
  if (count === 0) return ''
  const named = playerNames ?? []
  if (named.length === 0) return t('nodes.unnamed-players', { count })
  const more = count > named.length ? ['…'] : []
  return t('nodes.players', { count, names: [...named, ...more].join(', ') })
}

export function factsOf(
  { isReady, goneSince, isDraining, memoryBytes, takenMemoryBytes, cpus }: Node,
  now: number,
): string[] {
  const gone = () => (goneSince ? t('nodes.gone-since', { time: moment(goneSince, now) }) : t('nodes.gone'))
  const states = [
    ...(isReady === false ? [gone()] : isDraining ? [] : [t('nodes.ready')]),
    ...(isDraining ? [t('nodes.draining')] : []),
  ]
  const isSized = typeof memoryBytes === 'number' && typeof takenMemoryBytes === 'number'
  return [
    ...states,
    ...(isSized ? [t('nodes.memory', { taken: bytes(takenMemoryBytes), total: bytes(memoryBytes) })] : []),
    ...(typeof cpus === 'number' ? [t('nodes.cores', { count: cpus })] : []),
  ]
}
