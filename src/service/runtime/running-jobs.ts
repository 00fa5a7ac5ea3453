import { Listeners } from '../base/change.ts'
import type { FileJobIn } from './types.ts'

export class RunningJobs {
  readonly now = new Map<string, FileJobIn>()
  readonly changes = new Listeners<FileJobIn>()

  tell(job: FileJobIn): void {
    if (job.state === 'running') this.now.set(job.id, job)
    else this.now.delete(job.id)
    this.changes.tell(job)
  }
}
