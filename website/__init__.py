"""The site: pages of docs/, pictures, and a reference of every public name (`make site`)."""
