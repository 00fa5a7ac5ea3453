import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../service.fixture.ts'

const script = fileURLToPath(new URL('../../../../tests/doubles/programs/no-files-left.ts', import.meta.url))

test.skipIf(process.platform !== 'linux')(
  'that programs have ended is found out, and they can be killed, where processes cannot be looked at',
  async () => {
    const folder = await temporaryFolder()
    const limited = 'ulimit -n 100; exec "$0" --no-warnings "$@"'
    const { stdout } = await promisify(execFile)('sh', ['-c', limited, process.execPath, script, folder])
    expect(stdout.trim().split('\n').sort()).toEqual(['EMFILE', 'ended by SIGKILL', 'ended by SIGTERM'])
    expect(readdirSync(path.join(folder, 'run'))).toEqual([])
  },
)
