import { answerAsWorker } from '../../base/worker-thread.ts'
import { createMethods } from './methods.ts'

answerAsWorker(createMethods)
