"""Complete tables: made, kept in files that workers share, and looked up."""
