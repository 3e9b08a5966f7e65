/** Fresh UUIDs for events; a port because chance is an argument. */
export type NewId = () => string;
