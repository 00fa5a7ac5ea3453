import { Listeners, type Stop } from '../../base/change.ts'
import { refusal } from '../../../host/refusal.ts'
import type { LineConsumer, ProcessExit, ProgramPlace } from '../programs/driver.ts'
import { ContainerProgram, type ContainerOrigin } from './container-program.ts'
import type { Engine } from './engine.ts'
import type { Fence } from './fence.ts'
import type { NodeWatch } from './node-watch.ts'

/** Who made it: the node its container is on, and the fence that it renews. */
interface Surroundings {
  engine: Engine
  nodeId: string
  nodes: NodeWatch
  fence: Fence
}

/** A program in a container of a Swarm's node, which the engine can lose. */
export class SwarmProgram extends ContainerProgram {
  readonly #of: Surroundings
  readonly #changes = new Listeners<void>()
  readonly #unwatch: Stop
  #place: ProgramPlace
  /** A node that was lost ends what ran on it when it is back. That is no crash. */
  #wasGone = false

  constructor(of: Surroundings, origin: ContainerOrigin, take: LineConsumer) {
    super(of.engine, origin, take)
    this.#of = of
    this.#place = of.nodes.placeOf(of.nodeId)
    this.#unwatch = of.nodes.onChange(() => this.#look())
    this.onExit(() => this.#unwatch())
    this.#look()
  }

  get place(): ProgramPlace {
    return this.#place
  }

  onPlace(listener: () => void): Stop {
    return this.#changes.on(listener)
  }

  override onExit(listener: (ending: ProcessExit) => void): Stop {
    return super.onExit((ending) => listener(this.#wasGone ? { ...ending, isAway: true } : ending))
  }

  override async leave(): Promise<void> {
    this.#unwatch()
    await super.leave()
  }

  async abandon(): Promise<void> {
    await this.#of.nodes.look()
    if (!this.#place.isGone) throw refusal(409, 'node.not-gone')
    await this.#of.fence.revoke()
    this.giveUp()
  }

  #look(): void {
    const place = this.#of.nodes.placeOf(this.#of.nodeId)
    if (place.isGone) {
      this.#wasGone = true
      // Its engine won't answer before the node is back.
      this.know()
    }
    if (place.isGone === this.#place.isGone && place.node === this.#place.node) return
    this.#place = place
    this.#changes.tell()
  }
}
