import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { refusal } from '../../../host/refusal.ts'
import { writeDataFile } from '../../../host/data-file.ts'

/** How often a program renews its mark. */
const RENEW_SECONDS = 5
/** Renewals that may fail, such as while the storage hangs, before it is killed. */
const FAILURES_MOST = 3
/** Without a renewal for so long, nothing writes the server's folder any more: the program would have been killed. */
const STALE_MS = (RENEW_SECONDS * (FAILURES_MOST + 1) + 5) * 1000
/** Renewing for so long after another claim was made means that it doesn't see the claim. */
const MOST_MS = 3 * STALE_MS
const LOOK_MS = 1000

const CLAIM = 'claim'
const BEAT = 'beat'

/**
 * Run in the container, in place of the server's program, by `sh` with the fence's folder, the claim, and the command.
 * One container for each claim begins. It renews its mark, and kills the program once the claim is another's, or can't be
 * read for too long.
 */
export const FENCED = `
F=$1 C=$2; shift 2
me="$WHEELHOUSE_NODE $WHEELHOUSE_TASK"; unset WHEELHOUSE_NODE WHEELHOUSE_TASK
[ "$(cat "$F/${CLAIM}")" = "$C" ] || exit 75
(set -C; echo "$me" > "$F/first-$C") 2>/dev/null || exit 75
alive=/tmp/.fence
while kill -0 $$; do
  now=$(cat "$F/${CLAIM}") && {
    [ "$now" = "$C" ] || { kill -9 $$; exit; }
    echo "$me" > "$F/${BEAT}" && : > "$alive"
  }
  sleep ${RENEW_SECONDS}
done 2>/dev/null </dev/null >/dev/null &
failed=0
while sleep ${RENEW_SECONDS} && kill -0 $$; do
  if [ -e "$alive" ]; then rm -f "$alive"; failed=0; else failed=$((failed + 1)); fi
  [ $failed -lt ${FAILURES_MOST} ] || kill -9 $$
done 2>/dev/null </dev/null >/dev/null &
exec "$@"`

/**
 * Keeps two containers from writing one server's folder, on whatever nodes they are: a claim, and what the claim's
 * container renews. It lies on the same storage as the folder.
 */
export class Fence {
  readonly folder: string

  constructor(service: string, serverId: string) {
    this.folder = path.join(service, 'fences', encodeURIComponent(serverId))
  }

  /** A new claim, once nothing renews an older one. Rejects with 409 `server.maybe-running`. */
  async claim(): Promise<string> {
    const claim = randomUUID()
    await mkdir(this.folder, { recursive: true, mode: 0o700 })
    writeDataFile(path.join(this.folder, CLAIM), claim)
    await this.#untilStale()
    for (const name of await readdir(this.folder))
      if (name !== CLAIM) await rm(path.join(this.folder, name), { force: true })
    return claim
  }

  /** Waits until the mark has not been renewed for long enough. Rejects with 409 `server.maybe-running`. */
  async #untilStale(): Promise<void> {
    const begin = performance.now()
    let [last, since] = [await this.#beat(), begin]
    // It ended, and was seen to.
    if (last === null) return
    for (;;) {
      await wait(LOOK_MS)
      const [now, beat] = [performance.now(), await this.#beat()]
      if (beat === null || now - since >= STALE_MS) return
      if (beat !== last) [last, since] = [beat, now]
      if (now - begin >= MOST_MS) throw refusal(409, 'server.maybe-running')
    }
  }

  /** Takes the claim from a program that can't be seen. Rejects with 409 `server.maybe-running` while it is renewed. */
  async revoke(): Promise<void> {
    const [begin, first] = [performance.now(), await this.#beat()]
    while (first !== null && performance.now() - begin < STALE_MS) {
      await wait(LOOK_MS)
      if ((await this.#beat()) !== first) throw refusal(409, 'server.maybe-running')
    }
    writeDataFile(path.join(this.folder, CLAIM), '')
    await rm(path.join(this.folder, BEAT), { force: true })
  }

  /** For a program that renews nothing. Resolves once none of a Swarm can run any more; rejects as `claim` does. */
  async take(): Promise<void> {
    if (!existsSync(this.folder)) return
    await this.claim()
    await this.clear()
  }

  /** After its program was seen to end. */
  async clear(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true })
  }

  /** When it was renewed, by the storage's clock. Only whether it changes counts. */
  async #beat(): Promise<number | null> {
    const found = await stat(path.join(this.folder, BEAT)).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null
      throw error
    })
    return found?.mtimeMs ?? null
  }
}
