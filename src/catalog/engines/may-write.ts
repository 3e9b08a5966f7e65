/** PostgreSQL: of the tables that the search path leads to; true where there are none yet. */
export const MAY_WRITE = `coalesce(has_table_privilege(to_regclass('owner'), 'insert'), true)`;
