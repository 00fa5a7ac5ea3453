import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../service.fixture.ts'
import { runRestic } from './restic-program.ts'
import { failureOf } from './restic-refusals.ts'

test.skipIf(process.platform === 'win32').each([
  { untold: 2, code: 'backups.target-denied', runs: 3 },
  { untold: 100, code: 'backups.restic-failed', runs: 5 },
])(
  'why rclone ended is told, even where restic ends before it has read that ($untold times)',
  async (one) => {
    const folder = await temporaryFolder()
    const executable = path.join(folder, 'restic')
    // A stand-in for restic: on a busy computer the real one ends so now and then.
    const lines = [
      '#!/bin/sh',
      `echo run >> '${folder}/runs'`,
      `[ "$(wc -l < '${folder}/runs')" -gt ${one.untold} ] && echo "rclone: didn't find section in config file" >&2`,
      'echo "Fatal: unable to open repository: error talking HTTP to rclone: context canceled" >&2',
      'exit 1',
    ]
    writeFileSync(executable, `${lines.join('\n')}\n`, { mode: 0o700 })
    const place = {
      ...{ executable, repository: 'rclone:disk:a', passwordFile: '/none', cache: folder, temporary: folder },
      remote: { environment: {}, options: [], secrets: [] },
    }
    const seen: string[] = []
    const end = await runRestic(place, ['cat', 'config'], {
      signal: new AbortController().signal,
      errorLine: (line) => seen.push(line.toString()),
    })
    expect(failureOf(end, place).code).toBe(one.code)
    expect(seen.filter((line) => line.startsWith('Fatal'))).toHaveLength(one.runs)
  },
)
