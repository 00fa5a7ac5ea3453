import { refusal } from '../../../host/refusal.ts'
import type { LineConsumer, ProcessExit } from '../programs/driver.ts'
import { ContainerProgram, type ContainerOrigin, type EndState } from './container-program.ts'
import type { Engine } from './engine.ts'
import type { ForeignContainer } from './foreign-container.ts'

/** What runs in a container that others made: it is stopped as they set it, and others may stop or replace it. */
export class AdoptedProgram extends ContainerProgram {
  readonly #engine: Engine
  readonly #of: ForeignContainer
  #isStopping = false

  constructor(
    engine: Engine,
    of: ForeignContainer,
    origin: Pick<ContainerOrigin, 'resumed' | 'from' | 'last'>,
    take: LineConsumer,
  ) {
    const { id, isTerminal, hearsCommands } = of
    const startedAt = Date.parse(of.startedAt) || Date.now()
    super(engine, { id, startedAt, isTerminal, isDeaf: !hearsCommands, ...origin }, take)
    this.#engine = engine
    this.#of = of
  }

  get noInput() {
    const { hearsCommands, name } = this.#of
    return hearsCommands ? null : refusal(409, 'adopted.no-input', { container: name })
  }

  /** With its own signal and patience, by its engine. */
  override stop(): void {
    if (this.#isStopping) return
    this.#isStopping = true
    void this.repeat(async (left) => {
      // Answers once it has stopped, which may take minutes.
      const { id, stopSeconds } = this.#of
      const query = stopSeconds === null ? {} : { t: stopSeconds }
      const answer = await this.#engine.stream(`/containers/${id}/stop`, query, left, 'POST')
      answer.resume()
    })
  }

  /** Its engine may start it again by itself. */
  protected override isOver(state: EndState): boolean {
    return super.isOver(state) || state.Status === 'restarting' || state.StartedAt !== this.#of.startedAt
  }

  /** Whoever made it may stop or replace it, which is no crash. */
  protected override endingOf(state: EndState | null, isAway: boolean): ProcessExit {
    return { ...super.endingOf(state, isAway), isAway: true }
  }
}
