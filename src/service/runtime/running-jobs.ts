import { Listeners } from '../base/change.ts'
import type { FileJobIn } from './types.ts'

/** File jobs of a server that run. */
export class RunningJobs {
  /** By id: a stream begins with them. */
  readonly now = new Map<string, FileJobIn>()
  readonly changes = new Listeners<FileJobIn>()

  /** One began, went on or ended. */
  tell(job: FileJobIn): void {
    if (job.state === 'running') this.now.set(job.id, job)
    else this.now.delete(job.id)
    this.changes.tell(job)
  }
}
