// Sends one attack from a thread of its own, so that it delays no measurement.
import { parentPort, workerData } from 'node:worker_threads'
import { ATTACKS } from './attacks.mjs'

parentPort.postMessage(await ATTACKS[workerData.name].run(workerData.target))
