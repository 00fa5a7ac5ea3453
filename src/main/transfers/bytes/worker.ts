import { answerAsWorker } from '../worker-link.ts'
import { createMethods } from './methods.ts'

answerAsWorker(createMethods)
