import type { LineBatch } from '../../../../contract/bridge/values.ts'
import { LOG_PREFIX } from '../../../../contract/rules/players/log-prefix.ts'
import { plainText } from './line-text.ts'

const LEVEL = /\b(WARN|ERROR|FATAL|SEVERE)/

export interface ShortLine {
  text: string
  level: 'warn' | 'error' | null
}

/** A line without time, thread and level, where only the newest are shown. */
export function shortLine(text: string, source: LineBatch['sources'][number] | undefined): ShortLine {
  const plain = plainText(text, source)
  const prefix = source ? '' : (LOG_PREFIX.exec(plain)?.[0] ?? '')
  const level = LEVEL.exec(prefix)?.[1]
  const isError = source === 'error' || (level !== undefined && level !== 'WARN')
  return { text: plain.slice(prefix.length), level: isError ? 'error' : level ? 'warn' : null }
}
