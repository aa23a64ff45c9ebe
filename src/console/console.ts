// Assembles the views of the console.

import { type AgentPorts, agentHandlers } from './agents.ts'
import { listAudit } from './audit.ts'
import { type BuyPorts, buyHandlers } from './buys.ts'
import { type DeliveryPorts, deliveryHandlers } from './deliveries.ts'
import { type DoctorPorts, doctorHandlers } from './doctor.ts'
import { type EndpointPorts, endpointHandlers } from './endpoints.ts'
import type { Handlers } from './handlers.ts'
import { type KeyViewPorts, keyHandlers } from './keys.ts'
import { type OverviewPorts, overviewHandlers } from './overview.ts'
import type { PrincipalViewPorts } from './principal-ports.ts'
import { principalHandlers } from './principals.ts'
import { type PublisherPorts, publisherHandlers } from './publishers.ts'
import type { ConsoleQueries } from './queries.ts'
import { type ReceivedPorts, receivedHandlers } from './received.ts'
import { type RecoveryPorts, recoveryHandlers } from './recoveries.ts'
import { type RegistryPorts, registryHandlers } from './registry.ts'
import { type ReviewPorts, reviewHandlers } from './reviews.ts'
import { type SessionViewPorts, sessionHandlers } from './session-views.ts'
import { type SignalPorts, signalHandlers } from './signals.ts'
import type { AuditStore } from './store.ts'
import { type StudioPorts, studioHandlers } from './studio.ts'
import { type TaskPorts, taskHandlers } from './tasks.ts'
import { type VerifyPorts, verifyHandlers } from './verify.ts'

export interface ConsolePorts
  extends DeliveryPorts,
    Omit<EndpointPorts, 'outboxOperations' | 'queries'>,
    Omit<RecoveryPorts, 'queries'>,
    ReceivedPorts,
    Omit<TaskPorts, 'queries'>,
    Omit<OverviewPorts, 'queries' | 'approvals' | 'received'>,
    VerifyPorts,
    Omit<SignalPorts, 'principals' | 'principalQueries'>,
    AgentPorts,
    Omit<DoctorPorts, 'agents'>,
    Omit<BuyPorts, 'reports'>,
    Omit<RegistryPorts, 'audit'>,
    Omit<PublisherPorts, 'audit' | 'clock'>,
    Omit<ReviewPorts, 'audit' | 'registryQueries'>,
    KeyViewPorts,
    SessionViewPorts,
    PrincipalViewPorts {
  queries: ConsoleQueries
  reports: OverviewPorts['reports'] & BuyPorts['reports']
  audit: AuditStore
  studio: Omit<StudioPorts, 'audit' | 'transact' | 'names' | 'tasks' | 'queries'>
}

export function consoleHandlers(ports: ConsolePorts): Handlers {
  return {
    ...overviewHandlers(ports),
    ...deliveryHandlers(ports),
    ...endpointHandlers(ports),
    ...recoveryHandlers(ports),
    ...receivedHandlers(ports),
    ...taskHandlers(ports),
    ...verifyHandlers(ports),
    ...signalHandlers(ports),
    ...studioHandlers({ ...ports, ...ports.studio }),
    ...agentHandlers(ports),
    ...doctorHandlers(ports),
    ...buyHandlers(ports),
    ...registryHandlers(ports),
    ...publisherHandlers(ports),
    ...reviewHandlers(ports),
    ...keyHandlers(ports),
    ...principalHandlers(ports),
    ...sessionHandlers(ports),
    listAudit: ({ query }) => listAudit(ports.audit, query),
  }
}
