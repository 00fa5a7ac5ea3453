/* What a manager of a swarm tells, as far as it is asked. */

export interface Amounts {
  NanoCPUs?: number
  MemoryBytes?: number
}

export interface SwarmServiceSpec {
  Name: string
  Labels?: Record<string, string>
  TaskTemplate: {
    ContainerSpec: object
    Resources?: { Limits?: Amounts; Reservations?: Amounts }
    Placement?: { Constraints?: string[] }
  }
  Mode?: { Replicated?: { Replicas?: number } }
}

export interface SwarmNode {
  ID: string
  Version: { Index: number }
  Spec: { Labels: object; Role: string; Availability: string }
  Description: { Hostname: string; Resources: Required<Amounts> }
  Status: { State: string; Addr: string; Message?: string }
  ManagerStatus?: object
}

export interface SwarmService {
  ID: string
  Version: { Index: number }
  Spec: SwarmServiceSpec
}

export interface SwarmTask {
  ID: string
  Version: { Index: number }
  Spec: SwarmServiceSpec['TaskTemplate']
  ServiceID: string
  NodeID?: string
  Slot: number
  Status: { State: string; Message: string; Err?: string; ContainerStatus?: { ContainerID: string } }
  DesiredState: string
}
