import { say } from '../../contract/messages/say.ts'
import type { Log } from '../logging/log.ts'
import type { StartupNotices } from '../base/startup-notices.ts'
import { Databases } from './databases.ts'

const SENTENCES = { damaged: 'kept.damaged', removed: 'kept.removed', lost: 'kept.lost' } as const

export const toldDatabases = (log: Log, notes: StartupNotices): Databases =>
  new Databases({
    onDeath: (error) => log.error('the thread of the databases died and is started again', { error }),
    onTrouble(trouble, file) {
      log.error('a database cannot be used any more', { trouble, file })
      notes.tell(say(SENTENCES[trouble], { file }))
    },
    onBegunAnew({ database, file }, aside, read) {
      log.error('a database could not be used and was begun anew', { file, aside })
      notes.tell(say(`kept.${database}-anew`, { file, aside }), () => void read().catch(() => undefined))
    },
  })
