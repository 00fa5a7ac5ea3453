import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sftpToken } from '../../../src/contract/rules/sftp.ts'
import { Chance } from '../../faults/chance.ts'
import { type SftpServer, startSftp } from '../../fixtures/sftp-server.ts'
import { PathPanel } from '../by-path.ts'
import { countLost, LARGE_BYTES, makeSmall, one } from '../files.ts'
import { inTurns, ratioOf } from '../pairs.ts'
import type { Outcome } from '../table.ts'

/** Uploads to an OpenSSH server here, beside OpenSSH's own client. */
export async function benchHostsSftp(): Promise<Outcome> {
  const place = await mkdtemp(path.join(tmpdir(), 'wheelhouse-bench-sftp-'))
  const host = await startSftp(place)
  const queue = await PathPanel.start()
  try {
    const key = path.join(place, 'own-key')
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', key])
    await host.accept(await readFile(`${key}.pub`, 'utf8'))
    const baseUrl = `sftp://root@127.0.0.1:${host.port}${place}/ours`
    for (const folder of ['ours', 'theirs', 'from']) await mkdir(path.join(place, folder))
    const hostKey = await queue.call('connections.host-key', { baseUrl })
    const token = sftpToken({ secret: (await readFile(key, 'utf8')).replaceAll('\n', ' '), hostKey })
    const { id: connectionId } = await queue.call('connections.use-token', { baseUrl, token })
    const to = { connectionId, serverId: 'server' }
    const setting = { place, chance: new Chance(5, 'bench'), sftp: sftpOf(host, key, place), queue, to }
    const [large, small] = [await measureLarge(setting), await measureSmall(setting)]
    return {
      bench: 'hosts-sftp',
      lost: large.lost + small.lost,
      figures: [large.figure, small.figure],
    }
  } finally {
    await queue.close()
    await host.close()
    await rm(place, { recursive: true, force: true })
  }
}

interface Setting {
  place: string
  chance: Chance
  /** Runs commands of OpenSSH's client; ms. */
  sftp: (...commands: string[]) => Promise<number>
  queue: PathPanel
  to: { connectionId: string; serverId: string }
}

async function measureLarge({ place, chance, sftp, queue, to }: Setting) {
  const name = 'large.bin'
  const tree = await one(path.join(place, 'from'), name, LARGE_BYTES, chance)
  const file = path.join(place, 'from', name)
  let lost = 0
  const rounds = await inTurns(
    '500 MiB',
    {
      sftp: async () => {
        const took = await sftp(`put ${file} ${place}/theirs/${name}`)
        await rm(path.join(place, 'theirs', name))
        return took
      },
      queue: async () => {
        const { took } = await queue.upload([{ path: name, file }], to)
        lost += await countLost(path.join(place, 'ours'), tree)
        await rm(path.join(place, 'ours', name))
        return took
      },
    },
    ['sftp'],
    { fewest: 5 },
  )
  await rm(file)
  const about = { name: "500 MiB over SFTP, main's queue ÷ sftp put", target: 1.15, limitIs: 'sftp put' }
  return { lost, figure: ratioOf(rounds, 'queue', 'sftp', about) }
}

async function measureSmall({ place, chance, sftp, queue, to }: Setting) {
  const from = path.join(place, 'from')
  const tree = await makeSmall(from, chance)
  const file = path.join(from, 'small')
  let lost = 0
  const rounds = await inTurns(
    '2,000 files',
    {
      sftp: async () => {
        const puts = [...tree.files.keys()].map((name) => `put "${from}/${name}" "${place}/theirs/${name}"`)
        const took = await sftp(`mkdir ${place}/theirs/small`, ...puts)
        await rm(path.join(place, 'theirs/small'), { recursive: true })
        return took
      },
      queue: async () => {
        const { took, transfer } = await queue.upload([{ path: 'small', file }], to)
        lost += transfer.filesFailed + (await countLost(path.join(place, 'ours'), tree))
        await rm(path.join(place, 'ours/small'), { recursive: true })
        return took
      },
    },
    ['sftp'],
    { fewest: 5 },
  )
  const name = "2,000 small files (21 MB) over SFTP, main's queue ÷ sftp -b"
  return {
    lost,
    figure: ratioOf(rounds, 'queue', 'sftp', { name, target: 1, limitIs: 'one put after the other' }),
  }
}

function sftpOf(host: SftpServer, key: string, place: string): Setting['sftp'] {
  const options = ['StrictHostKeyChecking=no', 'UserKnownHostsFile=/dev/null', 'LogLevel=ERROR']
  return async (...commands) => {
    const batch = path.join(place, 'batch')
    await writeFile(batch, commands.join('\n'))
    const began = performance.now()
    const child = spawn(
      'sftp',
      [
        '-q',
        '-b',
        batch,
        '-P',
        String(host.port),
        '-i',
        key,
        ...options.flatMap((one) => ['-o', one]),
        `${host.user}@127.0.0.1`,
      ],
      { stdio: ['ignore', 'ignore', 'inherit'] },
    )
    const [code] = (await once(child, 'exit')) as [number | null]
    if (code !== 0) throw new Error(`sftp ended with ${code}.`)
    return performance.now() - began
  }
}
