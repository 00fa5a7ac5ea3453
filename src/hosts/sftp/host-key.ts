import { createHash } from 'node:crypto'
import ssh2 from 'ssh2'
import type { Dial } from '../../host/network/dial.ts'
import { hostRefusal } from '../base/adapter.ts'
import { type SshPlace, targetOf } from './place.ts'

const KEY_MS = 15_000

/** As `ssh-ed25519 SHA256:…`, from the key as hosts send it. */
export function keyName(key: Buffer): string {
  const length = key.length < 4 ? 0 : key.readUInt32BE(0)
  const kind = key.subarray(4, 4 + Math.min(length, 60)).toString('latin1')
  const digest = createHash('sha256').update(key).digest('base64').replace(/=+$/, '')
  return `${/^[\w.@-]+$/.test(kind) ? kind : 'unknown'} SHA256:${digest}`
}

/** The key of the host; nothing is signed in. Throws a refusal, or the network's error. */
export async function hostKeyAt(place: SshPlace, dial: Dial): Promise<string> {
  const sock = await dial(targetOf(place))
  return new Promise((resolve, reject) => {
    const client = new ssh2.Client()
    client.on('error', () => reject(hostRefusal(502, 'sftp.no-ssh')))
    client.on('close', () => reject(hostRefusal(502, 'sftp.no-ssh')))
    client.connect({
      ...{ sock, username: 'nobody', readyTimeout: KEY_MS },
      hostVerifier: (key: Buffer) => {
        resolve(keyName(key))
        return false
      },
    })
  })
}
