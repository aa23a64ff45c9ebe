// What the directory of agents needs from a database: the agents that organisations publish, each URL once.

export interface ListedAgent {
  url: string
  type: string
  name: string | null
  /** The organisation that lists it; null for a personal one, because its name is a person's name. */
  listed_by: string | null
  created_at: string
  updated_at: string
}

/** Which agents a reader sees. */
export interface DirectoryReader {
  /** Include agents listed for members only, in addition to public ones. */
  isMember: boolean
  /** The organisation that may also see its own private agents; default none. */
  organizationId?: string | undefined
}

export interface DirectoryPage {
  type?: string | undefined
  /** The page starts after this URL. */
  after?: string | undefined
  limit: number
}

/** If several organisations list one URL, the first one to list it is used. */
export interface AgentDirectory {
  /** In the order of their URLs, at most `limit`. */
  page(reader: DirectoryReader, page: DirectoryPage): Promise<ListedAgent[]>
  get(reader: DirectoryReader, url: string): Promise<ListedAgent | undefined>
}
