// What the directory of agents needs of a database: the agents that organisations publish, each URL once.

export interface ListedAgent {
  url: string
  type: string
  name: string | null
  /** The organisation that lists it; null for a personal one, whose name is a person's. */
  listed_by: string | null
  created_at: string
  updated_at: string
}

/** Which agents a reader sees. */
export interface DirectoryReader {
  /** Those for members too, beside those for everybody. */
  isMember: boolean
  /** The organisation whose private agents are its own to see; default none. */
  organizationId?: string | undefined
}

export interface DirectoryPage {
  type?: string | undefined
  /** The URL that the page begins behind. */
  after?: string | undefined
  limit: number
}

/** Where several organisations list one URL, the one that listed it first is the one that is read. */
export interface AgentDirectory {
  /** In the order of their URLs, at most `limit`. */
  page(reader: DirectoryReader, page: DirectoryPage): Promise<ListedAgent[]>
  get(reader: DirectoryReader, url: string): Promise<ListedAgent | undefined>
}
