import { localized } from '../../contract/messages/localized-text.ts'
import type { Log } from '../logging/log.ts'
import type { StartupNotices } from '../base/startup-notices.ts'
import { Databases } from './databases.ts'

export const toldDatabases = (log: Log, notes: StartupNotices): Databases =>
  new Databases({
    onDeath: (error) => log.error('the thread of the databases died and is started again', { error }),
    onDamage(file) {
      log.error('a database cannot be read any more', { file })
      notes.tell(localized('kept.damaged', { file }))
    },
    onBegunAnew({ database, file }, aside, read) {
      log.error('a database could not be used and was begun anew', { file, aside })
      notes.tell(
        localized(`kept.${database}-anew`, { file, aside }),
        () => void read().catch(() => undefined),
      )
    },
  })
