import { answerAsWorker } from '../../worker-thread.ts'
import { createMethods } from './methods.ts'

answerAsWorker(createMethods)
