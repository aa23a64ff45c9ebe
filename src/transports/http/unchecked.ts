// For routes whose rules check their input themselves, with their own messages: the framework only parses, and
// the schema of the route is documentation.

export const unchecked = () => (value: unknown) => ({ value })
