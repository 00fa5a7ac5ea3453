import { activityCsv, activityJson } from '../../../contract/rules/activity-file.ts'
import type { EntryPosition, EntryRow } from '../../store/activity.ts'
import { Yielder } from '../../../host/yield.ts'
import type { RequestContext } from '../../http/serve.ts'
import type { ActivityEntryInput } from './routes.ts'

const STEP = 500
const FIRST: EntryPosition = { at: Number.MAX_SAFE_INTEGER, id: Number.MAX_SAFE_INTEGER }

type Format = 'csv' | 'json'
const TYPES: Readonly<Record<Format, string>> = {
  csv: 'text/csv; charset=utf-8; header=present',
  json: 'application/json',
}

/** Streamed in pieces, so that long logs are never in memory. */
export function exportOf(
  c: RequestContext,
  format: Format,
  read: (before: EntryPosition, limit: number) => EntryRow[],
  shown: (row: EntryRow) => ActivityEntryInput,
): Response {
  const write = format === 'csv' ? activityCsv : activityJson
  const yielder = new Yielder()
  let before: EntryPosition = FIRST
  let begun = false
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      await yielder.turn()
      const rows = read(before, STEP)
      const last = rows.at(-1)
      const piece = write(rows.map(shown), { isFirst: !begun, isLast: rows.length < STEP })
      begun = true
      controller.enqueue(new TextEncoder().encode(piece))
      if (last && rows.length === STEP) before = last
      else controller.close()
    },
  })
  c.header('Content-Type', TYPES[format])
  c.header('Content-Disposition', `attachment; filename="activity.${format}"`)
  return c.body(body)
}
